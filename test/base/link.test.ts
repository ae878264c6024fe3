import * as v from 'valibot'
import { expect, test } from 'vitest'
import { LONGEST_LINK, linkName, pullRequestOf, samePullRequest, usableLink } from '../../src/base/link.ts'
import { JOB, jobWithId } from '../../src/record/job.ts'

test.each([
  ['https://github.com/octo/docs/pull/77', 'https://github.com/octo/docs/pull/77'],
  ['https://gitlab.example/a/b/c/-/merge_requests/5', 'https://gitlab.example/a/b/c/-/merge_requests/5'],
  ['HTTPS://GitHub.com/octo/docs/pull/1?x=1#y', 'https://github.com/octo/docs/pull/1?x=1#y'],
  ['https://github.com:8443/octo/docs/pull/1', 'https://github.com:8443/octo/docs/pull/1'],
])('2.2 %s is passed on', (link, expected) => {
  expect(usableLink(link)).toBe(expected)
})

test.each([
  '',
  'octo/docs#77',
  '/octo/docs/pull/77',
  '//github.com/octo/docs/pull/77',
  'http://github.com/octo/docs/pull/77',
  'ftp://github.com/x',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
  'https://alice@github.com/octo/docs/pull/77',
  'https://alice:secret@github.com/octo/docs/pull/77',
  'https://:secret@github.com/octo/docs/pull/77',
  'https://github.com/octo/docs/pull/77\n::set-output name=x::y',
  'https://github.com/octo/docs/pull/77 ',
  '\thttps://github.com/octo/docs/pull/77',
  'https://gïthub.com/octo/docs/pull/77',
  'https://github.com/octo/d\u202eocs/pull/77',
  'https://github.com/\u0000',
  `https://github.com/${'x'.repeat(2000)}`,
  `https://github.com/${'"'.repeat(700)}`,
  'https://github.com/octo/docs/pull/77?\\',
])('2.2 %j is not passed on', (link) => {
  expect(usableLink(link)).toBeUndefined()
})

test.each(['x', '"', '%', '?', '#', '<'])('5.1 a record has room for what is passed on: %j', (sign) => {
  for (let times = 0; times <= LONGEST_LINK; times++) {
    const link = usableLink(`https://github.com/${sign.repeat(times)}`, LONGEST_LINK)
    if (link !== undefined) expect(v.parse(JOB, { ...jobWithId('j'), prLink: link }).prLink).toBe(link)
  }
})

test('5.5 a pull request is recognised on the server of the workflow only', () => {
  const found = { owner: 'octo', repo: 'docs.io', number: 77 }
  expect(pullRequestOf('https://github.com/octo/docs.io/pull/77', 'https://github.com')).toEqual(found)
  expect(pullRequestOf('https://ghe.example/octo/docs.io/pull/77/', 'https://ghe.example')).toEqual(found)
  for (const link of [
    'https://gitlab.com/octo/docs/pull/77',
    'https://github.com/octo/docs/issues/77',
    'https://github.com/octo/docs/pull/77/elsewhere',
    'https://github.com/octo/docs/pull/0',
    'https://github.com/octo/docs/pull/x',
    '',
  ]) {
    expect(pullRequestOf(link, 'https://github.com')).toBeUndefined()
  }
})

test.each([
  ['https://github.com/octo/docs/pull/77', 'octo/docs#77'],
  ['https://gitlab.example/a/b/c/-/merge_requests/5', 'gitlab.example/a/b/c#5'],
  ['https://bitbucket.org/octo/docs/pull-requests/9/', 'bitbucket.org/octo/docs#9'],
  ['https://example.com/elsewhere', 'example.com/elsewhere'],
])('2.3 %s is shown as %s', (link, name) => {
  expect(linkName(link)).toBe(name)
})

test.each([
  'https://github.com/octo/app/pull/77/',
  'https://github.com/octo/app/pull/77/files',
  'https://github.com/Octo/App/pull/77?diff=split',
])('3.5 %s is the same pull request', (link) => {
  expect(samePullRequest(link, 'https://github.com/octo/app/pull/77', 'https://github.com')).toBe(true)
  expect(samePullRequest(link, 'https://github.com/octo/app/pull/78', 'https://github.com')).toBe(false)
})

test.each([
  'evil.example',
  'evilgithub.com',
  'evil.github.com',
  'github.com.evil.example',
  'github.com:8443',
  'www.github.com',
])(
  '2.2 a look-alike on another host, such as %s, is shown with its host, and is no place to write',
  (host) => {
    const link = `https://${host}/octo/docs/pull/77`
    expect(linkName(link)).toBe(`${host}/octo/docs#77`)
    expect(pullRequestOf(link, 'https://github.com')).toBeUndefined()
    expect(samePullRequest(link, 'https://github.com/octo/docs/pull/77', 'https://github.com')).toBe(false)
  },
)
