import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ActionError, BadInput } from '../../src/base/errors.ts'
import { outputFile, writeOutputFile } from '../../src/inputs/workspace-file.ts'
import { folder } from '../helpers/analytics.ts'

/** Writes a file as a run does. @returns its name */
async function written(workspace: string, path: string): Promise<string> {
  const file = outputFile(workspace, path)
  await writeOutputFile(file, 'one two')
  return file.name
}

const text = (...path: string[]) => readFileSync(join(...path), 'utf8')

test('7.2 a path in the workspace, whether it exists or not', async () => {
  const workspace = realpathSync(folder())
  expect(await written(workspace, 'visitors.csv')).toBe('visitors.csv')
  expect(await written(workspace, './a/../b/c.csv')).toBe('b/c.csv')
  expect(await written(workspace, '..odd/.github/c.csv')).toBe('..odd/.github/c.csv')
  expect(await written(workspace, join(workspace, 'abs.csv'))).toBe('abs.csv')
  expect(text(workspace, 'b/c.csv')).toBe('one two')
})

test('7.2 a workspace that is a link is followed, and so is a link that stays in it', async () => {
  const real = realpathSync(folder())
  const link = join(folder(), 'workspace')
  symlinkSync(real, link)
  mkdirSync(join(real, 'data'))
  symlinkSync('data', join(real, 'reports'))
  expect(await written(link, 'reports/v.csv')).toBe('reports/v.csv')
  expect(readdirSync(join(real, 'data'))).toEqual(['v.csv'])
})

test('7.2 paths and links that lead out of the workspace, into `.git` or nowhere, are refused', async () => {
  const [workspace, elsewhere] = [folder(), folder()]
  writeFileSync(join(elsewhere, 'precious.csv'), 'precious')
  mkdirSync(join(workspace, 'app/.git'), { recursive: true })
  mkdirSync(join(workspace, 'data'))
  const links = {
    out: elsewhere,
    'file.csv': join(elsewhere, 'precious.csv'),
    'dangling.csv': join(elsewhere, 'new.csv'),
    'loop.csv': 'loop.csv',
    inner: 'app/.git',
    'data/.git': '../app',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name))
  for (const file of [
    ...['..', '.', '../v.csv', 'a/../../v.csv', '/etc/v.csv', 'out/v.csv', 'out/deep/er/v.csv', 'file.csv'],
    ...[
      'dangling.csv',
      'dangling.csv/v.csv',
      'loop.csv',
      'inner/v.csv',
      'app/.git/v.csv',
      'data/.git/v.csv',
      '.GIT/v.csv',
      '.git',
    ],
  ]) {
    await expect(written(workspace, file), file).rejects.toBeInstanceOf(BadInput)
  }
  expect([readdirSync(elsewhere), text(elsewhere, 'precious.csv')]).toEqual([['precious.csv'], 'precious'])
})

test('7.2 nothing is written through a link that lies where the file is prepared', async () => {
  const [workspace, elsewhere] = [folder(), folder()]
  writeFileSync(join(elsewhere, 'precious.csv'), 'precious')
  symlinkSync(join(elsewhere, 'precious.csv'), join(workspace, `.v.csv.${process.pid}.part`))
  await expect(written(workspace, 'v.csv')).rejects.toBeInstanceOf(ActionError)
  expect(text(elsewhere, 'precious.csv')).toBe('precious')
})

test('7.2 a file that cannot take its place leaves no trace', async () => {
  const workspace = folder()
  const file = outputFile(workspace, 'v.csv')
  mkdirSync(join(workspace, 'v.csv'))
  await expect(writeOutputFile(file, 'one')).rejects.toBeInstanceOf(ActionError)
  expect(readdirSync(workspace)).toEqual(['v.csv'])
})
