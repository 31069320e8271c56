import { Alert, Button, FileInput, Group, List, Stack, Text } from '@mantine/core'
import { ApiError } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#app/use-write.ts'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'

/** Importing thousands of rates on a slow line takes this long. */
const IMPORT_MS = 2 * 60 * 1000

/** Checks the file as soon as it is chosen, and names each wrong line. Imports the file as a whole. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('tax-rates')
  const [csv, setCsv] = useState<string>()
  const check = useWrite({
    write: (quittance, text: string) => quittance.taxRates.import({ csv: text, dry_run: true }),
    timeoutMs: IMPORT_MS,
  })
  const run = useWrite({
    write: (quittance, text: string) => quittance.taxRates.import({ csv: text }),
    timeoutMs: IMPORT_MS,
  })
  const choose = async (file: File | null) => {
    check.reset()
    run.reset()
    setCsv(undefined)
    if (file === null) return
    const text = await file.text()
    setCsv(text)
    check.mutate(text)
  }
  const { data: checked } = check
  const { data: imported } = run
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={t('import.title')}
      closeOnClickOutside={!run.isPending}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <FileInput
          label={t('import.file')}
          description={t('import.text')}
          placeholder={t('import.choose')}
          accept=".csv,text/csv"
          onChange={(file) => void choose(file)}
          data-autofocus
        />
        {check.error !== null && <ImportError error={check.error} />}
        {run.error !== null && <ImportError error={run.error} />}
        {checked !== undefined && imported === undefined && (
          <Text size="sm" role="status">
            {t('import.would', { count: checked.created, unchanged: checked.unchanged })}
          </Text>
        )}
        {imported !== undefined && (
          <Text size="sm" role="status">
            {t('import.done', { count: imported.created, unchanged: imported.unchanged })}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          {imported === undefined && (
            <BlockableButton
              blocked={
                checked === undefined
                  ? t(csv === undefined ? 'import.no_file' : 'import.correct_first')
                  : undefined
              }
              loading={run.isPending || check.isPending}
              onClick={() => {
                if (csv !== undefined) run.mutate(csv)
              }}
            >
              {t('import.confirm')}
            </BlockableButton>
          )}
        </Group>
      </Stack>
    </ModalDialog>
  )
}

function ImportError({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('tax-rates')
  const lines = error instanceof ApiError ? error.data.lines : undefined
  if (lines === undefined) return <ErrorState error={error} />
  return (
    <Alert
      color="red"
      role="alert"
      title={t('import.wrong')}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm">
        {lines.map(({ line, reason }) => (
          <List.Item key={`${line} ${reason}`}>{t('import.line', { line, reason })}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
