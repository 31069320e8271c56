export { consolePages } from './routes.ts'
export { consoleModule } from './module.ts'
