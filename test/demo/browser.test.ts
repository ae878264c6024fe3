import { expect, test } from 'vitest'
import { openerOf } from '../../scripts/demo/page/browser.ts'

test.each([
  ['darwin', {}, 'open'],
  ['win32', {}, 'rundll32'],
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['linux', {}, undefined],
  ['darwin', { CI: 'true' }, undefined],
  ['linux', { DISPLAY: ':0', CI: 'true' }, undefined],
] as const)('on %s with %j the page is opened by %s', (system, variables, opener) => {
  expect(openerOf(system, variables)?.[0]).toBe(opener)
})
