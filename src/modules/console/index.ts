export { consolePages } from './routes.ts'
