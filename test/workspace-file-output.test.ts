import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BadInput } from '../src/errors.ts'
import { openAtomicFile, workspacePath } from '../src/workspace-file.ts'
import { folder } from './visitors/helpers.ts'

test('7.2 a path in the workspace, whether it exists or not', async () => {
  const workspace = realpathSync(folder())
  const path = (file: string) => workspacePath(workspace, file)
  expect(await path('visitors.csv')).toEqual({ path: join(workspace, 'visitors.csv'), name: 'visitors.csv' })
  expect(await path('./a/../b/c.csv')).toEqual({ path: join(workspace, 'b/c.csv'), name: 'b/c.csv' })
  expect(await path('..odd/c.csv')).toMatchObject({ name: '..odd/c.csv' })
  expect(await path(join(workspace, 'abs.csv'))).toMatchObject({ name: 'abs.csv' })
})

test('7.2 a workspace that is a link is followed, and so is a link that stays in it', async () => {
  const real = realpathSync(folder())
  const link = join(folder(), 'workspace')
  symlinkSync(real, link)
  mkdirSync(join(real, 'data'))
  symlinkSync('data', join(real, 'reports'))
  expect(await workspacePath(link, 'reports/v.csv')).toEqual({
    path: join(real, 'data/v.csv'),
    name: 'reports/v.csv',
  })
})

test.each(['..', '../v.csv', 'a/../../v.csv', '/etc/v.csv', '.'])(
  '7.2 %s leaves the workspace',
  async (file) => {
    await expect(workspacePath(folder(), file)).rejects.toThrow('Input `file` leaves the workspace.')
  },
)

test('7.2 links that lead out of the workspace, or nowhere, are refused', async () => {
  const [workspace, elsewhere] = [folder(), folder()]
  writeFileSync(join(elsewhere, 'precious.csv'), 'precious')
  symlinkSync(elsewhere, join(workspace, 'out'))
  symlinkSync(join(elsewhere, 'precious.csv'), join(workspace, 'file.csv'))
  symlinkSync(join(elsewhere, 'new.csv'), join(workspace, 'dangling.csv'))
  symlinkSync('loop.csv', join(workspace, 'loop.csv'))
  for (const file of [
    'out/v.csv',
    'out/deep/er/v.csv',
    'file.csv',
    'dangling.csv',
    'dangling.csv/v.csv',
    'loop.csv',
  ]) {
    await expect(workspacePath(workspace, file), file).rejects.toBeInstanceOf(BadInput)
  }
})

test('7.2 a folder cannot be the file, nor a file the folder', async () => {
  const workspace = folder()
  mkdirSync(join(workspace, 'folder.csv'))
  writeFileSync(join(workspace, 'file'), '')
  await expect(workspacePath(workspace, 'folder.csv')).rejects.toThrow('is a directory')
  await expect(workspacePath(workspace, 'file/v.csv')).rejects.toBeInstanceOf(BadInput)
})

test('7.2 the text is hidden until it is committed, then takes the place of the earlier file', async () => {
  const workspace = folder()
  const path = join(workspace, 'v.csv')
  writeFileSync(path, 'earlier')
  const file = await openAtomicFile(path)
  await file.write('one ')
  await file.write('two')
  expect(readFileSync(path, 'utf8')).toBe('earlier')
  await file.commit()
  expect(readFileSync(path, 'utf8')).toBe('one two')
  expect(readdirSync(workspace)).toEqual(['v.csv'])
})

test('7.2 what is discarded leaves no trace, the directories made for it included', async () => {
  const workspace = folder()
  mkdirSync(join(workspace, 'kept'))
  const file = await openAtomicFile(join(workspace, 'kept/a/b/v.csv'))
  await file.write('text')
  await file.discard()
  expect(readdirSync(workspace, { recursive: true })).toEqual(['kept'])
})

test('7.2 a file that cannot take its place is discarded like any other', async () => {
  const workspace = folder()
  const path = join(workspace, 'v.csv')
  const file = await openAtomicFile(path)
  mkdirSync(path)
  await expect(file.commit()).rejects.toThrow()
  await file.discard()
  expect(readdirSync(workspace)).toEqual(['v.csv'])
})
