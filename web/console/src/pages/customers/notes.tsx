import { Button, CloseButton, Group, Stack, Text, Textarea } from '@mantine/core'
import type { Customer, Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'

type Note = Schemas['CustomerNote']

const SHOWN = 20

/** What colleagues wrote down about a customer. */
export function Notes({ customer: { uuid, erased_at } }: { readonly customer: Customer }) {
  const { t } = useTranslation('customers')
  const { can } = useApi()
  const [change, setChange] = useState<'add' | Note>()
  const [limit, setLimit] = useState(SHOWN)
  const query = useApiQuery(['customers', uuid, 'notes', limit], async ({ quittance }, signal) => {
    const { data, hasMore } = await quittance.customerNotes.list(uuid, { limit }, { signal })
    return { notes: data, hasMore }
  })
  const close = () => setChange(undefined)
  return (
    <Section
      title={t('notes.title')}
      actions={
        erased_at === undefined && (
          <ActionButton size="xs" scope="customers:write" onClick={() => setChange('add')}>
            {t('notes.add')}
          </ActionButton>
        )
      }
    >
      <Loaded query={query}>
        {({ notes, hasMore }) => (
          <Stack gap="sm">
            {notes.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('notes.none')}
              </Text>
            )}
            {notes.map((note) => (
              <Group key={note.id} gap="xs" wrap="nowrap" align="flex-start">
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {note.text}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <Time at={note.created_at} /> ·{' '}
                    <span title={note.actor_id}>{note.actor_name ?? note.actor_id}</span>
                  </Text>
                </div>
                {can('customers:write') && (
                  <CloseButton size="sm" aria-label={t('notes.remove')} onClick={() => setChange(note)} />
                )}
              </Group>
            ))}
            {hasMore && (
              <Button size="xs" variant="subtle" onClick={() => setLimit(limit + SHOWN)}>
                {t('notes.more')}
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
      {change === 'add' && <AddNote uuid={uuid} onClose={close} />}
      {change !== undefined && change !== 'add' && (
        <ActionDialog
          opened
          onClose={close}
          isDanger
          title={t('notes.removing')}
          confirmLabel={t('notes.remove')}
          effect={change.text}
          run={(quittance) => quittance.customerNotes.delete(uuid, change.id)}
        />
      )}
    </Section>
  )
}

function AddNote({ uuid, onClose }: { readonly uuid: string; readonly onClose: () => void }) {
  const { t } = useTranslation('customers')
  const [text, setText] = useState('')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('notes.adding')}
      confirmLabel={t('notes.save')}
      isDisabled={text.trim() === ''}
      run={(quittance) => quittance.customerNotes.create(uuid, { text: text.trim() })}
    >
      <Textarea
        label={t('notes.text')}
        description={t('notes.hint')}
        autosize
        minRows={3}
        maxLength={2000}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
