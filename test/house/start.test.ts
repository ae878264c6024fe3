import { expect, test } from 'vitest'
import { filesLike, fileText } from './files.ts'

test('6 nothing on the way to the first request formats by locale, which loads a sixth of every start', () => {
  const onTheWay = filesLike('src/{agent,core,github,http,run,runner,thread}/*.ts')
  expect(onTheWay.length).toBeGreaterThan(40)
  expect(onTheWay.filter((file) => /\bIntl\.|\.toLocale\w*String\(/.test(fileText(file)))).toEqual([])
})
