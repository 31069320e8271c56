export { timelinesModule } from './module.ts'
