export { messagesModule } from './module.ts'
