import { List, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { EmailText } from '#components/email-text.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { CustomerLink, OrderLink } from '#components/object-name.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import type { Message } from '#pages/messages/kinds.ts'
import { languageName } from '#pages/messages/language-name.ts'
import { MessageFrame } from '#pages/messages/message-frame.tsx'
import { KindName, MessageState } from '#pages/messages/message-list.tsx'

const route = getRouteApi('/shell/messages/$id')

export function MessagePage() {
  const { id } = route.useParams()
  const query = useApiQuery(['messages', id], ({ quittance }, signal) =>
    quittance.messages.get(id, { signal }),
  )
  return <Loaded query={query}>{(message) => <MessageDetails key={id} message={message} />}</Loaded>
}

function MessageDetails({ message }: { readonly message: Message }) {
  const { t, i18n } = useTranslation('messages')
  const [isResending, setResending] = useState(false)
  const navigate = useNavigate()
  const { id, kind, state, subject, html, text, to } = message
  return (
    <>
      <PageHeader
        title={subject ?? t(`kind.${kind}`)}
        badges={<MessageState state={state} />}
        back={<TextLink to="/messages">{t('title')}</TextLink>}
        actions={
          <ActionButton scope="billing:write" onClick={() => setResending(true)}>
            {t('resend.button')}
          </ActionButton>
        }
      />
      <Columns
        main={
          <>
            <Section title={t('preview.title')}>
              {html === null || text === null ? (
                <Text size="sm" c="dimmed">
                  {t(state === 'queued' ? 'preview.not_yet' : 'preview.none')}
                </Text>
              ) : (
                <MessageFrame subject={subject ?? ''} html={html} text={text} />
              )}
            </Section>
            <Section title={t('attachments')}>
              <Attachments attachments={message.attachments} />
            </Section>
            <RawObject value={message} />
          </>
        }
        side={
          <Section title={t('details')}>
            <Fields
              fields={[
                [t('column.state'), t(`state_text.${state}`)],
                [t('column.to'), <EmailText key="to" address={to} />],
                [t('column.customer'), <CustomerLink key="customer" uuid={message.customer_uuid} />],
                [t('column.kind'), <KindName key="kind" kind={kind} />],
                [t('column.object_id'), <About key="about" message={message} />],
                [t('column.language'), languageName(message.language, i18n.language)],
                [t('column.created_at'), <Time key="created" at={message.created_at} />],
                message.sent_at !== undefined && [
                  t('column.sent_at'),
                  <Time key="sent" at={message.sent_at} />,
                ],
                [t('column.attempts'), message.attempts],
                message.error !== undefined && [t('error'), message.error],
                message.resent_from !== undefined && [
                  t('resent_from'),
                  <TextLink key="from" to="/messages/$id" params={{ id: message.resent_from }}>
                    {t('show_first')}
                  </TextLink>,
                ],
                [t('message_id'), <CopyableId key="message_id" id={message.message_id} />],
                [t('column.id'), <CopyableId key="id" id={id} />],
              ]}
            />
          </Section>
        }
      />
      {isResending && (
        <ActionDialog
          opened
          onClose={() => setResending(false)}
          title={t('resend.title')}
          effect={t('resend.effect')}
          confirmLabel={t('resend.button')}
          doneMessage={t('resend.done')}
          run={(quittance) => quittance.messages.resend(id)}
          onDone={(again) => void navigate({ to: '/messages/$id', params: { id: again.id } })}
        />
      )}
    </>
  )
}

function Attachments({ attachments }: Pick<Message, 'attachments'>) {
  const { t, i18n } = useTranslation('messages')
  if (attachments.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('no_attachments')}
      </Text>
    )
  }
  const size = new Intl.NumberFormat(i18n.language, {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 0,
  })
  return (
    <List size="sm">
      {attachments.map(({ name, size: bytes }) => (
        <List.Item key={name}>
          {name} ({size.format(Math.max(1, bytes / 1_000))})
        </List.Item>
      ))}
    </List>
  )
}

/** The order, document or plan that the message is about. */
function About({ message: { kind, object_id: id } }: { readonly message: Message }) {
  const { t } = useTranslation('messages')
  switch (kind) {
    case 'receipt':
    case 'payment_failed':
      return <OrderLink number={id} />
    case 'invoice':
    case 'credit_note':
      return (
        <TextLink to="/invoices/$id" params={{ id }}>
          {t('show_document')}
        </TextLink>
      )
    case 'plan_canceled':
    case 'trial_ending':
    case 'renewal_ahead':
    case 'usage_alert':
      return (
        <TextLink to="/plans/$id" params={{ id }}>
          {t('show_plan')}
        </TextLink>
      )
    case 'payment_reminder':
    case 'portal_link':
    case 'card_expiring':
    case 'balance_low':
      return <CopyableId id={id} />
  }
}
