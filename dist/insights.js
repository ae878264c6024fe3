import { insights } from './index.js'

await insights()
