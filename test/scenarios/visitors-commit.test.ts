import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { asArray, asObject, asString } from '../../src/base/json.ts'
import { folder } from '../helpers/analytics.ts'

const EXAMPLE = new URL('../../examples/visitors-in-repository.yml', import.meta.url)
const [, , commit] = asArray(asObject(asObject(parse(readFileSync(EXAMPLE, 'utf8')).jobs).visitors).steps)
const { run, env } = asObject(commit)

/** A checkout of the default branch, as the runner has it, and its remote. */
function checkout() {
  const [remote, source, work, tools] = [folder(), folder(), folder(), folder()]
  writeFileSync(join(tools, 'gh'), '#!/bin/sh\n', { mode: 0o755 })
  const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' })
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main')
  git(source, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(source, 'docs.json'), '{}')
  git(source, 'add', '.')
  git(source, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Docs')
  git(source, 'push', '--quiet', remote, 'main')
  return {
    remote: (...args: string[]) => git(remote, ...args).trimEnd(),
    /** A run a week: a fresh checkout, what the action writes, and the last step. */
    week(csv: string) {
      const here = join(work, csv)
      git(work, 'clone', '--quiet', '--depth', '1', `file://${remote}`, here)
      mkdirSync(join(here, 'visitors'))
      writeFileSync(join(here, 'visitors/visitors.csv'), csv)
      writeFileSync(join(here, 'visitors/README.md'), `# ${csv}`)
      const script = asString(run)
      execFileSync('bash', ['-e', '-c', script], {
        cwd: here,
        // Runners have `gh`, which gives git the token; a folder as the remote needs none.
        env: { ...process.env, PATH: `${tools}:${process.env.PATH}`, BRANCH: asString(asObject(env).BRANCH) },
        stdio: 'pipe',
      })
    },
  }
}

test('the example commits each week’s files to a branch of their own, and leaves the default branch alone', () => {
  const { remote, week } = checkout()
  const before = remote('rev-parse', 'main')
  for (const csv of ['first', 'second', 'third']) week(csv)
  expect(remote('ls-tree', '-r', '--name-only', 'docs-visitors').split('\n')).toEqual([
    'README.md',
    'visitors.csv',
  ])
  expect(remote('show', 'docs-visitors:visitors.csv')).toBe('third')
  expect(remote('log', '--format=%s', 'docs-visitors').split('\n')).toHaveLength(3)
  expect(remote('show', 'docs-visitors~2:visitors.csv')).toBe('first')
  expect(remote('rev-parse', 'main')).toBe(before)
})

test.each(['visitors.yml', 'visitors-in-repository.yml'])(
  'with its commented lines, %s reads the docs of another repository, and the secret of an environment',
  (file) => {
    const text = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
    const whole = text.replace(/^( +)# (?=- uses| {2}with:|environment|navigation-file)/gm, '$1')
    const job = asObject(asObject(parse(whole).jobs).visitors)
    expect(job.environment).toEqual({ name: 'docs-agent', deployment: false })
    const docs = asArray(job.steps).find((step) => asObject(asObject(step).with).repository === 'octo/docs')
    expect(docs).toMatchObject({ with: { 'persist-credentials': false } })
  },
)
