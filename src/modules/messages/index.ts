export { type AwaitedMessage, MESSAGE_EVENTS, type Messages, messagesModule } from './module.ts'
