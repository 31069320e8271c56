import { Button, FileInput, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#app/use-write.ts'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { ButtonLink } from '#components/links.tsx'
import { type BankStatement, knownOf } from '#pages/bank-transfers/statement.ts'

/** A large file on a slow line takes minutes to send. */
const UPLOAD_MS = 5 * 60 * 1000

/** Imports a statement as soon as it is chosen: a wrong one changes nothing, and one that was imported before adds nothing. */
export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('bank-statements')
  const {
    data: statement,
    error,
    isPending,
    mutate,
    reset,
  } = useWrite({
    write: async (quittance, file: File) => quittance.bankStatements.import(await readStatementFile(file)),
    timeoutMs: UPLOAD_MS,
  })
  const choose = (file: File | null) => {
    reset()
    if (file !== null) mutate(file)
  }
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={t('upload.title')}
      closeOnClickOutside={!isPending}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <FileInput
          label={t('upload.file')}
          description={t('upload.text')}
          placeholder={t('upload.choose')}
          accept=".xml,.csv,.053,.txt,text/xml,application/xml,text/csv"
          disabled={isPending}
          onChange={choose}
          data-autofocus
        />
        {isPending && (
          <Text size="sm" role="status">
            {t('upload.running')}
          </Text>
        )}
        {error !== null && <ErrorState error={error} />}
        {statement !== undefined && <Result statement={statement} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          {statement !== undefined && (
            <ButtonLink to="/bank-statements/$id" params={{ id: statement.id }} onClick={onClose}>
              {t('upload.show')}
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </ModalDialog>
  )
}

function Result({ statement }: { readonly statement: BankStatement }) {
  const { t } = useTranslation('bank-statements')
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600}>
        {t('result.entries', { count: statement.entries })}
      </Text>
      <Text size="sm">{t('result.matched', { count: statement.matched })}</Text>
      <Text size="sm">{t('result.unmatched', { count: statement.unmatched })}</Text>
      <Text size="sm">{t('result.known', { count: knownOf(statement) })}</Text>
    </Stack>
  )
}

interface StatementFile {
  readonly format: 'camt053' | 'csv'
  readonly content: string
}

/** How much of a file is looked at for its XML declaration. */
const HEAD_BYTES = 200

/** The format by what the file begins with, and its text by the encoding that XML declares. */
async function readStatementFile(file: File): Promise<StatementFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  const format = /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES))) ? 'camt053' : 'csv'
  const encoding = format === 'csv' ? undefined : /^[^>]*\sencoding=["']([\w-]+)["']/.exec(head)?.[1]
  return { format, content: new TextDecoder(encoding).decode(bytes) }
}
