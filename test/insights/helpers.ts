import type { EmulatorOptions } from '../../emulator/options.ts'
import type { Readers } from '../../emulator/service/analytics/readers.ts'
import type { Finding } from '../../src/insights/finding.ts'
import { emulate } from '../emulator/helpers.ts'
import { type Scene, sceneOf } from '../visitors/helpers.ts'

/** What readers left behind, a workspace, and the built action between them. */
export async function scene(readers: Readers, options: EmulatorOptions = {}): Promise<Scene> {
  const emulator = await emulate(options)
  emulator.service.readers = readers
  return sceneOf('insights', emulator)
}

export const finding = (more: Partial<Finding> = {}): Finding => ({
  kind: 'feedback',
  page: '/a',
  text: 'It fails.',
  rating: 'not-helpful',
  readers: 1,
  day: '2026-07-01',
  ...more,
})
