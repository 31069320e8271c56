export { MESSAGE_EVENTS, type Messages, messagesModule } from './module.ts'
