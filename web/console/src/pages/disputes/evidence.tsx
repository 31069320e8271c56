import { Button, Group, Table, Text } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { joinParts } from '#components/joined.ts'
import { Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { StageFileDialog, StageTextDialog } from '#pages/disputes/evidence-dialogs.tsx'

type Dialog =
  | { readonly kind: 'text' | 'file' | 'submit' }
  | { readonly kind: 'remove'; readonly name: string }

/** Texts and files that are staged here, and handed in once. */
export function Evidence({ dispute }: { readonly dispute: Schemas['Dispute'] }) {
  const { t } = useTranslation('disputes')
  const [dialog, setDialog] = useState<Dialog>()
  const entries = Object.entries(dispute.evidence)
  const isOpen = dispute.state.endsWith('needs_response') && dispute.submitted_at === null
  const blocked = isOpen ? undefined : t('evidence.closed')
  const close = () => setDialog(undefined)
  return (
    <Section
      title={t('evidence.title')}
      actions={
        <Group gap={6}>
          <ActionButton
            size="xs"
            scope="payments:write"
            blocked={blocked}
            onClick={() => setDialog({ kind: 'text' })}
          >
            {t('evidence.add_text')}
          </ActionButton>
          <ActionButton
            size="xs"
            scope="payments:write"
            blocked={blocked}
            onClick={() => setDialog({ kind: 'file' })}
          >
            {t('evidence.add_file')}
          </ActionButton>
          <ActionButton
            size="xs"
            variant="filled"
            scope="payments:write"
            blocked={blocked ?? (entries.length === 0 ? t('evidence.nothing') : undefined)}
            onClick={() => setDialog({ kind: 'submit' })}
          >
            {t('submit.button')}
          </ActionButton>
        </Group>
      }
    >
      {dispute.submitted_at !== null && (
        <Text size="sm" mb="sm">
          {t('evidence.submitted')} <Time at={dispute.submitted_at} />
        </Text>
      )}
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(isOpen ? 'evidence.none' : 'evidence.none_closed')}
        </Text>
      ) : (
        <Table verticalSpacing="xs">
          <Table.Tbody>
            {entries.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" w={180} fw={500}>
                  {t(`name.${name}`, { defaultValue: name.replaceAll('_', ' ') })}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {typeof value === 'string'
                    ? value
                    : t('evidence.file', { ...value, kb: Math.ceil(value.size / 1024) })}
                </Table.Td>
                {isOpen && (
                  <Table.Td w={90}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t('evidence.remove_one', { name })}
                      onClick={() => setDialog({ kind: 'remove', name })}
                    >
                      {t('evidence.remove')}
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {dialog?.kind === 'text' && <StageTextDialog dispute={dispute} onClose={close} />}
      {dialog?.kind === 'file' && <StageFileDialog dispute={dispute} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveDialog dispute={dispute} name={dialog.name} onClose={close} />}
      {dialog?.kind === 'submit' && <SubmitDialog dispute={dispute} onClose={close} />}
    </Section>
  )
}

interface DialogProps {
  readonly dispute: Schemas['Dispute']
  readonly onClose: () => void
}

function RemoveDialog({ dispute, name, onClose }: DialogProps & { readonly name: string }) {
  const { t } = useTranslation('disputes')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('remove.title')}
      confirmLabel={t('evidence.remove')}
      effect={t('remove.effect', { name: t(`name.${name}`, { defaultValue: name }) })}
      run={(quittance) => quittance.disputes.stageEvidence(dispute.id, { [name]: null })}
    />
  )
}

function SubmitDialog({ dispute, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('disputes')
  const names = Object.keys(dispute.evidence).map((name) => t(`name.${name}`, { defaultValue: name }))
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('submit.title')}
      confirmLabel={t('submit.button')}
      doneMessage={t('submit.done')}
      effect={t('submit.effect', { count: names.length, names: joinParts(i18n.language, names) })}
      run={(quittance) => quittance.disputes.submit(dispute.id)}
    />
  )
}
