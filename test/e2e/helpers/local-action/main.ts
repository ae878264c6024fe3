export { main as run } from '../../../../src/index.ts'
