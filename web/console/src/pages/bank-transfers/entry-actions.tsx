import { Anchor, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Quittance } from 'quittance'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#app/use-write.ts'
import { ActionButton } from '#components/action-button.tsx'
import { useFailureNotification } from '#components/error-text.ts'
import { type BankEntry, isPaidTwice, isWaiting, type Suggestion } from '#pages/bank-transfers/bank-entry.ts'

const MatchDialog = lazy(() =>
  import('#pages/bank-transfers/match-dialog.tsx').then((page) => ({ default: page.MatchDialog })),
)

const SCOPE = 'billing:write'
const SHOWN_MS = 10_000

type Change =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'unmatch' }
  | { readonly kind: 'match'; readonly suggestion: Suggestion }

/** One click changes an entry, and its message offers to undo the change for a while. */
function useEntryChange({ id }: BankEntry) {
  const { t } = useTranslation('bank-entries')
  const failureNotification = useFailureNotification()
  const { mutate, isPending } = useWrite({
    write: (quittance, change: Change) => send(quittance, id, change),
    onSuccess: (_, change) => {
      const message = `bank-entry ${id}`
      notifications.hide(message)
      const undo = () => {
        notifications.hide(message)
        mutate({ kind: 'unmatch' })
      }
      notifications.show({
        id: message,
        color: 'green',
        autoClose: SHOWN_MS,
        message: (
          <Group gap="sm" justify="space-between">
            <Text size="sm">{t(`done.${change.kind}`)}</Text>
            {change.kind !== 'unmatch' && (
              <Anchor component="button" size="sm" onClick={undo}>
                {t('undo')}
              </Anchor>
            )}
          </Group>
        ),
      })
    },
    onError: (error) => notifications.show(failureNotification(error)),
  })
  return { change: mutate, isPending }
}

function send({ bankEntries }: Quittance, id: string, change: Change): Promise<BankEntry> {
  if (change.kind === 'ignore') return bankEntries.ignore(id)
  if (change.kind === 'unmatch') return bankEntries.unmatch(id)
  const invoices = change.suggestion.invoices.map((invoice) => ({ id: invoice.id, amount: invoice.amount }))
  return bankEntries.match(id, invoices)
}

/** What can be done with an entry in its list, likeliest first. */
export function EntryActions({ entry }: { readonly entry: BankEntry }) {
  const [suggestion] = entry.suggestions ?? []
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {isWaiting(entry) &&
        !isPaidTwice(entry) &&
        (suggestion === undefined ? (
          <FindButton entry={entry} size="compact-sm" />
        ) : (
          <MatchButton entry={entry} suggestion={suggestion} />
        ))}
      <IgnoreButton entry={entry} size="compact-sm" />
    </Group>
  )
}

interface EntryButtonProps {
  readonly entry: BankEntry
  readonly size?: 'compact-sm' | 'sm'
}

/** Says that an entry needs nobody, or undoes what was done with it. */
export function IgnoreButton({ entry, size = 'sm' }: EntryButtonProps) {
  const { t } = useTranslation('bank-entries')
  const { change, isPending } = useEntryChange(entry)
  const isDone = entry.state === 'matched' || entry.state === 'ignored'
  return (
    <ActionButton
      scope={SCOPE}
      size={size}
      variant={isDone ? 'default' : 'subtle'}
      color="gray"
      loading={isPending}
      onClick={() => change({ kind: isDone ? 'unmatch' : 'ignore' })}
    >
      {t(isDone ? 'undo' : 'ignore')}
    </ActionButton>
  )
}

interface MatchButtonProps {
  readonly entry: BankEntry
  readonly suggestion: Suggestion
}

export function MatchButton({ entry, suggestion }: MatchButtonProps) {
  const { t } = useTranslation('bank-entries')
  const { change, isPending } = useEntryChange(entry)
  return (
    <ActionButton
      scope={SCOPE}
      size="compact-sm"
      variant="light"
      loading={isPending}
      onClick={() => change({ kind: 'match', suggestion })}
    >
      {t('match.button')}
    </ActionButton>
  )
}

/** Opens the search for invoices, where nothing that is suggested fits. */
export function FindButton({ entry, size = 'sm' }: EntryButtonProps) {
  const { t } = useTranslation('bank-entries')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton scope={SCOPE} size={size} onClick={() => setOpen(true)}>
        {t('find')}
      </ActionButton>
      {isOpen && (
        <Suspense fallback={null}>
          <MatchDialog entry={entry} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
