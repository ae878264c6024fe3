import type { EmulatorOptions } from '../../emulator/options.ts'
import type { Readers } from '../../emulator/service/analytics/readers.ts'
import { emulateInProcess } from '../helpers/step-in-process.ts'
import { emulate, type Scene, sceneOf } from '../visitors/helpers.ts'

/** What readers left behind, a workspace, and the action between them. */
export function scene(readers: Readers, options: EmulatorOptions = {}): Scene {
  const { emulator, launch } = emulateInProcess(options)
  emulator.service.readers = readers
  return sceneOf('insights', emulator, launch)
}

/** The same with the action as a process of the bundle. */
export async function bundleScene(readers: Readers, options: EmulatorOptions = {}): Promise<Scene> {
  const emulator = await emulate(options)
  emulator.service.readers = readers
  return sceneOf('insights', emulator)
}
