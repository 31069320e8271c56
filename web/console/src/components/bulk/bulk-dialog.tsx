import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { useWrite } from '#app/use-write.ts'
import {
  BULK_TARGETS,
  type BulkActionState,
  type BulkTarget,
  type Selection,
} from '#components/bulk/bulk-action.ts'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { useErrorText } from '#components/error-text.ts'
import { Money } from '#components/money.tsx'

/** - `startedId`: Shows this action instead of starting one. */
interface BulkDialogProps {
  readonly of: BulkTarget
  readonly selection: Selection
  readonly startedId?: string
  readonly onClose: () => void
}

const POLL_MS = 700
const SHOWN_FAILURES = 50

/** First a dry run, then the confirmation, then the progress. The work goes on when the dialog is closed. */
export function BulkDialog({ of, selection, startedId, onClose }: BulkDialogProps) {
  const { t } = useTranslation(['bulk', 'components'])
  const api = useApi()
  const queryClient = useQueryClient()
  const target = BULK_TARGETS[of]
  const { action, ids, filter } = selection
  const isByIds = ids.length > 0
  const [id, setId] = useState(startedId)
  const start = useWrite({
    write: (quittance, isDryRun: boolean) =>
      target
        .in(quittance)
        .create({ action, dry_run: isDryRun, ...(isByIds ? { ids: [...ids] } : { filter }) }),
    onSuccess: (started) => setId(started.id),
  })
  const { mutate } = start
  useEffect(() => {
    if (startedId === undefined) mutate(true)
  }, [startedId, mutate])
  const progress = useQuery({
    queryKey: api.key('bulk', id),
    enabled: id !== undefined,
    queryFn: ({ signal }) => target.in(api.quittance).get(id ?? '', { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOver(data) ? false : POLL_MS),
  })
  const cancel = useWrite({
    write: (quittance) => target.in(quittance).cancel(id ?? ''),
    onSuccess: () => progress.refetch(),
  })
  const takeOver = useWrite({
    write: (quittance) => target.in(quittance).takeOver(id ?? ''),
    onSuccess: () => progress.refetch(),
  })
  const found = progress.data
  const isStopped = found?.state === 'stopped' && api.can(target.scope)
  const isChecked = found?.dry_run === true && isOver(found)
  const isRunning = found !== undefined && !isOver(found)
  const close = () => {
    void queryClient.invalidateQueries({ queryKey: api.key() })
    onClose()
  }
  return (
    <ModalDialog
      opened
      onClose={close}
      title={t(`${action}.title`)}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <Stack aria-live="polite">
        {startedId === undefined && (
          <Text size="sm">{isByIds ? t('by_ids', { count: ids.length }) : t('by_filter', { filter })}</Text>
        )}
        {found !== undefined && <Numbers found={found} action={action} />}
        {start.error !== null && <ErrorState error={start.error} />}
        {cancel.error !== null && <ErrorState error={cancel.error} />}
        {takeOver.error !== null && <ErrorState error={takeOver.error} />}
        {progress.error !== null && <ErrorState error={progress.error} retry={progress.refetch} />}
        <Group justify="flex-end" gap="xs">
          {((isRunning && !found.dry_run) || isStopped) && (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {t(isStopped ? 'drop_rest' : 'stop')}
            </Button>
          )}
          <Button variant="default" onClick={close} data-autofocus>
            {t(isChecked ? 'components:dialog.cancel' : 'components:dialog.close')}
          </Button>
          {isStopped && (
            <Button loading={takeOver.isPending} onClick={() => takeOver.mutate()}>
              {t('take_over')}
            </Button>
          )}
          {isChecked && (
            <BlockableButton
              color="red.8"
              loading={start.isPending}
              blocked={found.succeeded === 0 ? t('nothing_possible') : undefined}
              onClick={() => start.mutate(false)}
            >
              {t(`${action}.confirm`, { count: found.succeeded })}
            </BlockableButton>
          )}
        </Group>
      </Stack>
    </ModalDialog>
  )
}

function isOver({ state }: BulkActionState): boolean {
  return state === 'completed' || state === 'canceled' || state === 'stopped'
}

interface NumbersProps {
  readonly found: BulkActionState
  readonly action: string
}

function Numbers({ found, action }: NumbersProps) {
  const { t } = useTranslation('bulk')
  const errorText = useErrorText()
  const { total, succeeded, failed, amounts, failures, dry_run: isDryRun } = found
  const percent = total === 0 ? 0 : Math.floor(((succeeded + failed) * 100) / total)
  return (
    <>
      {!isOver(found) && (
        <Progress value={percent} animated aria-label={t(isDryRun ? 'checking' : 'progress', { percent })} />
      )}
      <Text size="sm" fw={500}>
        {t(isDryRun ? (isOver(found) ? `${action}.would` : 'checking_count') : `${action}.did`, {
          count: succeeded,
          total,
        })}
      </Text>
      {amounts.map(({ currency, total: amount }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
      {found.state === 'canceled' && <Text size="sm">{t('stopped')}</Text>}
      {found.stop_reason !== null && (
        <Text size="sm">
          {t('lost_right', {
            reason: t(`stop_reasons.${found.stop_reason}`),
            count: total - succeeded - failed,
          })}
        </Text>
      )}
      {failed > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {t(isDryRun ? 'would_fail' : 'failed', { count: failed })}
          </Text>
          <Table.ScrollContainer
            minWidth={0}
            mah={200}
            type="native"
            tabIndex={0}
            role="group"
            aria-label={t('failures')}
          >
            <Table>
              <Table.Tbody>
                {failures.slice(0, SHOWN_FAILURES).map((failure) => {
                  const { message, original } = errorText(failure)
                  return (
                    <Table.Tr key={failure.id}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        <code>{failure.id}</code>
                        <Text size="xs" c="dimmed">
                          {[failure.reason, message, original].filter(Boolean).join(' · ')}
                        </Text>
                      </Table.Td>
                    </Table.Tr>
                  )
                })}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </>
  )
}
