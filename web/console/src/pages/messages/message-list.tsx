import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { CustomerLink } from '#components/object-name.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { KINDS, type Message, type MessageKind, STATES, TONES } from '#pages/messages/kinds.ts'

function messageList(words: {
  readonly kind: (kind: string) => string
  readonly state: (state: string) => string
}): ListDefinition<Message> {
  return {
    name: 'messages',
    path: `${BILLING}/messages`,
    load: ({ quittance }, query, signal) => quittance.messages.list(query, { signal }),
    rowId: ({ id }) => id,
    rowLink: ({ id }) => `/messages/${id}`,
    columns: [
      { id: 'subject', phone: 'title', cell: (message) => <Subject message={message} /> },
      { id: 'to', phone: 'detail', cell: ({ to }) => to ?? '—' },
      { id: 'state', phone: 'end', cell: ({ state }) => <MessageState state={state} /> },
      { id: 'created_at', phone: 'end_detail', cell: ({ created_at }) => <Time at={created_at} /> },
      { id: 'kind', isHidden: true, cell: ({ kind }) => <KindName kind={kind} /> },
      { id: 'language', isHidden: true, cell: ({ language }) => language },
      { id: 'customer', isHidden: true, cell: ({ customer_uuid }) => <CustomerLink uuid={customer_uuid} /> },
      { id: 'object_id', isHidden: true, cell: ({ object_id }) => object_id },
      { id: 'attempts', isHidden: true, align: 'right', cell: ({ attempts }) => attempts },
      {
        id: 'sent_at',
        isHidden: true,
        cell: ({ sent_at }) => (sent_at === undefined ? '—' : <Time at={sent_at} />),
      },
      { id: 'id', isHidden: true, cell: ({ id }) => id },
    ],
    filters: [
      { field: 'kind', kind: 'word', words: KINDS, wordLabel: words.kind },
      { field: 'state', kind: 'word', words: STATES, wordLabel: words.state },
      { field: 'to', kind: 'text' },
      { field: 'customer.uuid', kind: 'exact' },
      { field: 'object_id', kind: 'exact' },
      { field: 'language', kind: 'exact' },
      { field: 'created_at', kind: 'time' },
      { field: 'id', kind: 'exact' },
    ],
    views: [
      {
        name: 'not_sent',
        filter: '(state = failed OR state = bounced OR state = complained OR state = suppressed)',
      },
      { name: 'waiting', filter: 'state = queued' },
    ],
  }
}

export function useMessageList(): ListDefinition<Message> {
  const { t } = useTranslation('messages')
  return messageList({ kind: (kind) => t(`kind.${kind}`), state: (state) => t(`state.${state}`) })
}

/** A message that waits has no subject yet. */
function Subject({ message: { subject, kind } }: { readonly message: Message }) {
  return (
    <Stack gap={0}>
      <Text span size="sm" fw={500} truncate>
        {subject ?? <KindName kind={kind} />}
      </Text>
      {subject !== null && (
        <Text span size="xs" c="dimmed">
          <KindName kind={kind} />
        </Text>
      )}
    </Stack>
  )
}

export function KindName({ kind }: { readonly kind: MessageKind }) {
  const { t } = useTranslation('messages')
  return t(`kind.${kind}`)
}

export function MessageState({ state }: { readonly state: Message['state'] }) {
  const { t } = useTranslation('messages')
  return <StateBadge state={state} label={t(`state.${state}`)} tone={TONES[state]} />
}
