import { appendFileSync } from 'node:fs'

const { INPUT_OWNER = '', INPUT_REPOSITORIES = '', GITHUB_OUTPUT = '' } = process.env
const repositories = INPUT_REPOSITORIES.split(',').map((name) => `${INPUT_OWNER}/${name.trim()}`)
appendFileSync(GITHUB_OUTPUT, `token=a token for ${repositories.join(', ')}\n`)
