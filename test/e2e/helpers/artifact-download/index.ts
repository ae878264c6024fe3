import { cpSync } from 'node:fs'
import { join } from 'node:path'

const { INPUT_NAME = '', ARTIFACTS = '' } = process.env
cpSync(join(ARTIFACTS, INPUT_NAME), '.', { recursive: true })
