import { fileURLToPath } from 'node:url'
import type { Emulator } from '../../emulator/emulator.ts'

const metadata = (folder: string): string =>
  fileURLToPath(new URL(`../../${folder}action.yml`, import.meta.url))

/** The metadata file of each action. */
export const ACTIONS = {
  root: metadata(''),
  collect: metadata('collect/'),
  visitors: metadata('visitors/'),
  insights: metadata('insights/'),
} as const

/** The inputs that every action needs. */
export const access = ({ settings }: Pick<Emulator, 'settings'>) => ({
  'project-id': settings.projectId,
  'api-key': settings.apiKey,
})
