/** The pages of messages are one script, because each script that is loaded later is named in the first one. */
export { MessageListPage } from '#pages/messages/message-list-page.tsx'
export { MessagePage } from '#pages/messages/message-page.tsx'
export { MessageSettingsPage } from '#pages/messages/message-settings-page.tsx'
export { SuppressionListPage } from '#pages/messages/suppression-list-page.tsx'
export { TemplatePage } from '#pages/messages/template-page.tsx'
