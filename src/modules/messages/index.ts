export type { PortalLinkMaker } from './context.ts'
export { type AwaitedMessage, MESSAGE_EVENTS, type Messages, messagesModule } from './module.ts'
