import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const { INPUT_NAME = '', INPUT_PATH = '', GITHUB_OUTPUT = '', ARTIFACTS = '' } = process.env
const folder = join(ARTIFACTS, INPUT_NAME)
mkdirSync(folder, { recursive: true })
copyFileSync(INPUT_PATH, join(folder, basename(INPUT_PATH)))
appendFileSync(GITHUB_OUTPUT, `rows=${readFileSync(INPUT_PATH, 'utf8').trimEnd().split('\n').length - 1}\n`)
