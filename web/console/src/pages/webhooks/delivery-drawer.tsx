import { Table, Text } from '@mantine/core'
import type { Delivery } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { DetailDrawer } from '#components/detail-drawer.tsx'
import { TextLink } from '#components/links.tsx'
import { JsonView } from '#components/json-view.tsx'
import { Fields } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { statusOf } from '#pages/webhooks/delivery-list.tsx'
import { RedeliverDialog } from '#pages/webhooks/redeliver-dialog.tsx'

interface DeliveryDrawerProps {
  readonly delivery: Delivery
  readonly onClose: () => void
}

/** Shows what was sent, and every attempt with its response. */
export function DeliveryDrawer({ delivery, onClose }: DeliveryDrawerProps) {
  const { t } = useTranslation('deliveries')
  const [isSending, setSending] = useState(false)
  return (
    <DetailDrawer title={t('title_one')} onClose={onClose}>
      <Fields
        fields={[
          [t('column.state'), <StateBadge key="state" state={delivery.state} />],
          [t('column.url'), delivery.url],
          [
            t('column.type'),
            <TextLink
              key="event"
              to="/events/$object/$id"
              params={{ object: delivery.object_id, id: delivery.event_id }}
            >
              {delivery.event_type}
            </TextLink>,
          ],
          [t('column.object_id'), <CopyableId key="object" id={delivery.object_id} />],
          delivery.next_attempt_at !== null && [
            t('column.next_attempt_at'),
            <Time key="next" at={delivery.next_attempt_at} />,
          ],
        ]}
      />
      <ActionButton scope="webhooks:write" onClick={() => setSending(true)}>
        {t('redeliver.button')}
      </ActionButton>
      {delivery.state === 'pending' && delivery.next_attempt_at === null && (
        <Text size="sm" c="dimmed">
          {t('waits')}
        </Text>
      )}
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('attempt.at')}</Table.Th>
            <Table.Th>{t('attempt.answer')}</Table.Th>
            <Table.Th ta="right">{t('attempt.duration')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {delivery.attempts.map((attempt) => (
            <Table.Tr key={attempt.at}>
              <Table.Td>
                <Time at={attempt.at} withSeconds />
              </Table.Td>
              <Table.Td>
                {statusOf(attempt)}
                {attempt.answer !== undefined && (
                  <Text size="xs" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                    {attempt.answer}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">{t('attempt.ms', { ms: attempt.duration_ms })}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {delivery.request !== null && (
        <>
          <Text fw={600} size="sm">
            {t('request')}
          </Text>
          <JsonView value={delivery.request.headers} label={t('headers')} />
          <JsonView value={delivery.request.body} label={t('body')} />
        </>
      )}
      {isSending && <RedeliverDialog delivery={delivery} onClose={() => setSending(false)} />}
    </DetailDrawer>
  )
}
