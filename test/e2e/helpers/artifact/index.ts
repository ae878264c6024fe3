import { appendFileSync, readFileSync } from 'node:fs'

const { INPUT_PATH = '', GITHUB_OUTPUT = '' } = process.env
appendFileSync(GITHUB_OUTPUT, `rows=${readFileSync(INPUT_PATH, 'utf8').trimEnd().split('\n').length - 1}\n`)
