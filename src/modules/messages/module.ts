import { defineModule } from '#platform/module'
import { MESSAGES_PERSONAL_DATA } from './storage/personal-data.ts'

export const messagesModule = defineModule({
  name: 'messages',
  personalData: MESSAGES_PERSONAL_DATA,
  connect: () => ({}),
})
