import { Text } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import { DetailDrawer } from '#components/detail-drawer.tsx'
import { JsonView } from '#components/json-view.tsx'
import { TextLink } from '#components/links.tsx'
import { Fields } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { Actor, EntryState } from '#pages/audit/audit-list.tsx'

interface AuditDrawerProps {
  readonly entry: Schemas['AuditEntry']
  readonly onClose: () => void
}

/** Shows the request, and the object before and after. */
export function AuditDrawer({ entry, onClose }: AuditDrawerProps) {
  const { t } = useTranslation('audit')
  const bodies = (['request', 'before', 'after'] as const).filter((name) => entry[name] !== null)
  return (
    <DetailDrawer title={entry.action} onClose={onClose}>
      <Fields
        fields={[
          [t('column.state'), <EntryState key="state" state={entry.state} reason={entry.reason} />],
          [t('column.actor'), <Actor key="actor" actor={entry.actor} />],
          entry.object?.id != null && [t('column.object'), <CopyableId key="object" id={entry.object.id} />],
          [t('started_at'), <Time key="started" at={entry.started_at} withSeconds />],
          [t('column.created_at'), <Time key="at" at={entry.created_at} withSeconds />],
          entry.ip_address !== null && [t('column.ip_address'), entry.ip_address],
          entry.user_agent !== null && [t('user_agent'), entry.user_agent],
          entry.request_id !== null && [
            t('column.request_id'),
            <TextLink key="request" to="/requests/$id" params={{ id: entry.request_id }}>
              {entry.request_id}
            </TextLink>,
          ],
          [t('column.sequence'), String(entry.sequence)],
          [t('column.hash'), <CopyableId key="hash" id={entry.hash} />],
        ]}
      />
      {bodies.map((name) => (
        <div key={name}>
          <Text fw={600} size="sm" mb={6}>
            {t(`body.${name}`)}
          </Text>
          <JsonView value={entry[name]} label={t(`body.${name}`)} />
        </div>
      ))}
    </DetailDrawer>
  )
}
