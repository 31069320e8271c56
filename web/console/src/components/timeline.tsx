import { Badge, Group, Text } from '@mantine/core'
import { IconCircleDot, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import classes from './timeline.module.css'

export interface PastEntry {
  readonly at: string
  readonly kind: string
  readonly text: string
  readonly object_id?: string
  readonly event_id?: string
  readonly request_id?: string
  readonly transaction_uuid?: string
  readonly acquirer?: {
    readonly name?: string
    readonly account_id?: string
    readonly reference?: string
    readonly resp_code?: string
    readonly decline_code?: string
  }
  readonly deliveries?: readonly {
    readonly id: string
    readonly endpoint_id?: string
    readonly state: string
    readonly response_status?: number | null
  }[]
}

export interface NextEntry {
  readonly at: string | null
  readonly kind: string
  readonly text: string
  readonly reason?: string
  readonly attempt?: number
  readonly attempts_total?: number
}

interface TimelineProps {
  readonly past: readonly PastEntry[]
  readonly next: readonly NextEntry[]
}

/** What will happen, above what happened. The newest is on top. */
export function Timeline({ past, next }: TimelineProps) {
  const { t } = useTranslation('components')
  return (
    <>
      {next.length > 0 && (
        <>
          <Text size="xs" fw={600} c="dimmed" mb={6}>
            {t('timeline.next')}
          </Text>
          <ol className={classes.list}>
            {next.map((entry) => (
              <li key={`${entry.kind} ${entry.at}`} data-next>
                <IconClock size={16} aria-hidden />
                <div>
                  <Text size="sm">
                    {entry.text}{' '}
                    {entry.attempt !== undefined && entry.attempts_total !== undefined && (
                      <Badge variant="default" size="sm" tt="none">
                        {t('timeline.attempt', { attempt: entry.attempt, total: entry.attempts_total })}
                      </Badge>
                    )}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <Time at={entry.at} />
                    {entry.reason !== undefined && ` · ${entry.reason}`}
                  </Text>
                </div>
              </li>
            ))}
          </ol>
          <Text size="xs" fw={600} c="dimmed" mt="md" mb={6}>
            {t('timeline.past')}
          </Text>
        </>
      )}
      <ol className={classes.list}>
        {past.map((entry) => (
          <li key={`${entry.at} ${entry.kind} ${entry.event_id ?? entry.transaction_uuid ?? entry.text}`}>
            <IconCircleDot size={16} aria-hidden />
            <div>
              <Text size="sm">{entry.text}</Text>
              <Group gap={8} fz="xs" c="dimmed">
                <Time at={entry.at} withSeconds />
                {entry.acquirer?.name !== undefined && (
                  <span>
                    {[entry.acquirer.name, entry.acquirer.reference, entry.acquirer.resp_code]
                      .filter((part) => part !== undefined && part !== '')
                      .join(' · ')}
                  </span>
                )}
                {entry.deliveries?.map(({ id, state, response_status }) => (
                  <StateBadge
                    key={id}
                    state={state}
                    label={t('timeline.webhook', { answer: response_status ?? state })}
                  />
                ))}
              </Group>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
