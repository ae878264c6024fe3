export { post as run } from '../../../../src/index.ts'
