export { requestLogModule } from './module.ts'
