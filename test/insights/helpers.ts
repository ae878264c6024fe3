import type { EmulatorOptions } from '../../emulator/options.ts'
import type { Readers } from '../../emulator/service/analytics/readers.ts'
import { emulate } from '../emulator/helpers.ts'
import { type Scene, sceneOf } from '../visitors/helpers.ts'

/** What readers left behind, a workspace, and the built action between them. */
export async function scene(readers: Readers, options: EmulatorOptions = {}): Promise<Scene> {
  const emulator = await emulate(options)
  emulator.service.readers = readers
  return sceneOf('insights', emulator)
}
