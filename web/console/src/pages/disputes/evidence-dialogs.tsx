import { Autocomplete, FileInput, Textarea } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { EVIDENCE_FILES, EVIDENCE_TEXTS, MAX_FILE_BYTES, readFile } from '#pages/disputes/evidence-names.ts'

interface StageDialogProps {
  readonly dispute: Schemas['Dispute']
  readonly onClose: () => void
}

const MAX_TEXT = 20_000

export function StageTextDialog({ dispute, onClose }: StageDialogProps) {
  const { t } = useTranslation('disputes')
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('evidence.add_text')}
      confirmLabel={t('stage.button')}
      doneMessage={t('stage.done')}
      isDisabled={name === '' || text === ''}
      effect={t(Object.hasOwn(dispute.evidence, name) ? 'stage.effect_replace' : 'stage.effect')}
      run={(quittance) => quittance.disputes.stageEvidence(dispute.id, { [name]: text })}
    >
      <NameField names={EVIDENCE_TEXTS} value={name} onChange={setName} />
      <Textarea
        label={t('stage.text')}
        required
        autosize
        minRows={4}
        maxRows={12}
        maxLength={MAX_TEXT}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}

export function StageFileDialog({ dispute, onClose }: StageDialogProps) {
  const { t } = useTranslation('disputes')
  const [name, setName] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const isTooLarge = file !== null && file.size > MAX_FILE_BYTES
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('evidence.add_file')}
      confirmLabel={t('stage.button')}
      doneMessage={t('stage.done')}
      isDisabled={name === '' || file === null || isTooLarge}
      effect={t(Object.hasOwn(dispute.evidence, name) ? 'stage.effect_replace' : 'stage.effect')}
      run={async (quittance) => {
        if (file === null) return
        const evidence = { name: file.name, content_type: file.type, content: await readFile(file) }
        await quittance.disputes.stageEvidence(dispute.id, { [name]: evidence })
      }}
    >
      <NameField names={EVIDENCE_FILES} value={name} onChange={setName} />
      <FileInput
        label={t('stage.file')}
        description={t('stage.file_hint')}
        required
        accept="application/pdf,image/png,image/jpeg"
        value={file}
        error={isTooLarge && t('stage.too_large')}
        onChange={setFile}
      />
    </ActionDialog>
  )
}

interface NameFieldProps {
  readonly names: readonly string[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function NameField({ names, value, onChange }: NameFieldProps) {
  const { t } = useTranslation('disputes')
  return (
    <Autocomplete
      label={t('stage.name')}
      description={t('stage.name_hint')}
      required
      data-autofocus
      data={[...names]}
      renderOption={({ option }) =>
        t(`name.${option.value}`, { defaultValue: option.value.replaceAll('_', ' ') })
      }
      value={value}
      onChange={(typed) => onChange(typed.trim())}
    />
  )
}
