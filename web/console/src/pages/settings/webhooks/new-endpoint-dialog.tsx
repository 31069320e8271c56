import { MultiSelect, TextInput } from '@mantine/core'
import type { EventType } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { EVENT_TYPES } from '#pages/settings/event-types.ts'

interface NewEndpointDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

export function NewEndpointDialog({ opened, onClose, onSecret }: NewEndpointDialogProps) {
  const { t } = useTranslation('endpoints')
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<string[]>([])
  return (
    <ActionDialog
      opened={opened}
      onClose={() => {
        onClose()
        setUrl('')
        setTypes([])
      }}
      title={t('create')}
      effect={t('effect')}
      confirmLabel={t('create')}
      run={(quittance) =>
        quittance.webhookEndpoints.create({
          url: url.trim(),
          ...(types.length > 0 && { types: types as EventType[] }),
        })
      }
      onDone={({ secret }) => onSecret(secret)}
    >
      <TextInput
        label={t('url')}
        type="url"
        placeholder="https://shop.example.com/webhooks"
        required
        withAsterisk={false}
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <MultiSelect
        label={t('types')}
        description={t('types_text')}
        data={[...EVENT_TYPES]}
        value={types}
        onChange={setTypes}
        searchable
        clearable
        hidePickedOptions
        comboboxProps={{ withinPortal: true }}
      />
    </ActionDialog>
  )
}
