import { Badge, Group, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconCircleDot, IconClock } from '#components/icons.tsx'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { declineText } from '#components/decline-text.ts'
import { TextLink } from '#components/links.tsx'
import { groupsOf, type TimelineGroup } from '#components/timeline-groups.ts'
import { useNextText, usePastText } from '#components/timeline-text.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import classes from './timeline.module.css'

type PastEntry = Schemas['PastEntry']
type NextEntry = Schemas['NextEntry']

interface TimelineProps {
  readonly past: readonly PastEntry[]
  readonly next: readonly NextEntry[]
  /** Entries of one order stand together and are opened. */
  readonly isGrouped: boolean
}

/** What will happen, above what happened. The newest is on top. */
export function Timeline({ past, next, isGrouped }: TimelineProps) {
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
              <li key={`${entry.kind} ${entry.at} ${entry.object_id} ${entry.transaction_uuid}`} data-next>
                <IconClock size={16} aria-hidden />
                <Next entry={entry} />
              </li>
            ))}
          </ol>
          <Text size="xs" fw={600} c="dimmed" mt="md" mb={6}>
            {t('timeline.past')}
          </Text>
        </>
      )}
      <ol className={classes.list}>
        {isGrouped
          ? groupsOf(past).map((group) => (
              <li key={keyOf(group.head)}>
                <IconCircleDot size={16} aria-hidden />
                {group.entries.length === 1 ? <Past entry={group.head} /> : <Together group={group} />}
              </li>
            ))
          : past.map((entry) => <PastItem key={keyOf(entry)} entry={entry} />)}
      </ol>
    </>
  )
}

function keyOf({ at, kind, event_id: event, transaction_uuid: uuid, text }: PastEntry): string {
  return `${at} ${kind} ${event ?? uuid ?? text}`
}

function PastItem({ entry }: { readonly entry: PastEntry }) {
  return (
    <li>
      <IconCircleDot size={16} aria-hidden />
      <Past entry={entry} />
    </li>
  )
}

function Together({ group: { order, head, entries } }: { readonly group: TimelineGroup }) {
  const { t } = useTranslation('components')
  const [isOpen, setOpen] = useState(false)
  const text = usePastText(head) ?? head.text
  return (
    <div>
      <UnstyledButton
        fz="sm"
        className={classes.together ?? ''}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {text} <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      <Group gap={8} mt={6} fz="xs" c="dimmed">
        <Time at={head.at} withSeconds />
        <span>{t('timeline.together', { count: entries.length })}</span>
        {order !== undefined && (
          <TextLink to="/orders/$number" params={{ number: order }} fz="xs">
            {t('timeline.order')}
          </TextLink>
        )}
      </Group>
      {isOpen && (
        <ol className={classes.list}>
          {entries.map((entry) => (
            <PastItem key={keyOf(entry)} entry={entry} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Next({ entry }: { readonly entry: NextEntry }) {
  const { t } = useTranslation('components')
  const { text, reason } = useNextText(entry)
  return (
    <div>
      <Text size="sm">
        {text}{' '}
        {entry.attempt !== null && entry.attempts_total !== null && (
          <Badge variant="default" size="sm" tt="none">
            {t('timeline.attempt', { attempt: entry.attempt, total: entry.attempts_total })}
          </Badge>
        )}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {entry.at === null ? t('timeline.waits') : <Time at={entry.at} />}
        {` · ${reason}`}
        {entry.actor_id !== null && (
          <>
            {` · ${t('timeline.by')} `}
            <Actor entry={entry} />
          </>
        )}
      </Text>
    </div>
  )
}

/** A sentence, and the links to what stands behind it: the event, the request, the transaction, the deliveries. */
function Past({ entry }: { readonly entry: PastEntry }) {
  const { t } = useTranslation('components')
  const {
    acquirer,
    actor_id: actorId,
    event_id: eventId,
    request_id: requestId,
    transaction_uuid: uuid,
  } = entry
  const text = usePastText(entry) ?? entry.text
  const answer = [
    acquirer?.name,
    acquirer?.decline_code == null ? acquirer?.resp_code : declineText(acquirer.decline_code, t),
    acquirer?.reference,
  ].filter(Boolean)
  return (
    <div>
      <Text size="sm">{text}</Text>
      <Group gap={8} fz="xs" c="dimmed">
        <Time at={entry.at} withSeconds />
        {actorId !== null && (
          <span>
            {t('timeline.by')} <Actor entry={entry} />
          </span>
        )}
        {answer.length > 0 && <span>{answer.join(' · ')}</span>}
        {uuid !== null && (
          <TextLink to="/transactions/$uuid" params={{ uuid }} fz="xs">
            {t('timeline.transaction')}
          </TextLink>
        )}
        {entry.object_id.startsWith('inv_') && (
          <TextLink to="/invoices/$id" params={{ id: entry.object_id }} fz="xs">
            {t('timeline.invoice')}
          </TextLink>
        )}
        {eventId !== null && (
          <TextLink to="/events/$object/$id" params={{ object: entry.object_id, id: eventId }} fz="xs">
            {t('timeline.event')}
          </TextLink>
        )}
        {requestId !== null && (
          <TextLink to="/requests/$id" params={{ id: requestId }} fz="xs">
            {t('timeline.request')}
          </TextLink>
        )}
        {entry.deliveries.map(({ id, state, response_status: status }) => (
          <TextLink key={id} to="/deliveries" search={{ filter: `id = ${id}` }}>
            <StateBadge
              state={state}
              label={t('timeline.webhook', { answer: status ?? t(`state.${state}`) })}
            />
          </TextLink>
        ))}
      </Group>
    </div>
  )
}

function Actor({ entry: { actor_id: id, actor_name: name } }: { readonly entry: PastEntry | NextEntry }) {
  const { t } = useTranslation('components')
  const customer = id?.startsWith('portal:') === true ? t('timeline.customer') : undefined
  const key = id?.startsWith('key_') === true ? t('timeline.key') : undefined
  return <span title={id ?? ''}>{name ?? customer ?? key ?? id}</span>
}
