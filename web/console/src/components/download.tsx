import { Button, type ButtonProps, Group, Progress, Stack, Text } from '@mantine/core'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { IconDownload } from '#components/icons.tsx'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#components/error-state.tsx'
import { FIRST_BUTTON, markFirstField } from '#components/first-field.ts'
import { type DownloadProgress, saveFile } from '#components/save-file.ts'

type DownloadState =
  | { readonly kind: 'idle' }
  /** The browser saves the file. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'running' | 'done'; readonly progress: DownloadProgress }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface Download {
  readonly state: DownloadState
  readonly start: (address: string, fileName: string) => Promise<void>
  readonly stop: () => void
}

export function useDownload(): Download {
  const [state, setState] = useState<DownloadState>({ kind: 'idle' })
  const controller = useRef<AbortController>(null)
  const start = async (address: string, fileName: string) => {
    const { signal } = (controller.current = new AbortController())
    const onProgress = (progress: DownloadProgress) => setState({ kind: 'running', progress })
    try {
      onProgress({ bytes: 0 })
      const progress = await saveFile({ address, fileName, signal, onProgress })
      setState(progress === undefined ? { kind: 'begun' } : { kind: 'done', progress })
    } catch (error) {
      const isCanceled = error instanceof DOMException && error.name === 'AbortError'
      setState(isCanceled ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  const stop = () => {
    controller.current?.abort()
    setState({ kind: 'idle' })
  }
  return { state, start, stop }
}

/** How far a download is, or why it failed. */
function DownloadStatus({ state }: { readonly state: DownloadState }) {
  const { t, i18n } = useTranslation('components')
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value)
  const progressText = (kind: 'running' | 'done', { rows, bytes }: DownloadProgress) => {
    const size = number(Math.ceil(bytes / 1024))
    return rows === undefined
      ? t(`export.${kind}_size`, { size })
      : t(`export.${kind}`, { rows: number(Math.max(0, rows)), size })
  }
  if (state.kind === 'idle') return null
  if (state.kind === 'failed') return <ErrorState error={state.error} />
  return (
    <div aria-live="polite">
      {state.kind !== 'begun' && (
        <Progress
          value={100}
          animated={state.kind === 'running'}
          color={state.kind === 'done' ? 'green' : 'indigo'}
          aria-label={t('export.progress')}
        />
      )}
      <Text size="sm" mt={6}>
        {state.kind === 'begun' ? t('export.begun') : progressText(state.kind, state.progress)}
      </Text>
    </div>
  )
}

interface DownloadDialogProps {
  readonly opened?: boolean
  readonly title: ReactNode
  readonly state: DownloadState
  readonly onClose: () => void
  /** A download that has not begun by itself. */
  readonly start?: { readonly label: string; readonly run: () => Promise<void> }
  readonly children?: ReactNode
}

export function DownloadDialog(props: DownloadDialogProps) {
  const { opened = true, title, state, onClose, start, children } = props
  const { t } = useTranslation('components')
  const isRunning = state.kind === 'running'
  const startable = state.kind === 'done' || state.kind === 'begun' ? undefined : start
  return (
    <ModalDialog
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnClickOutside={!isRunning}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <Stack gap="md" ref={markFirstField}>
        {children}
        <DownloadStatus state={state} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} {...FIRST_BUTTON}>
            {t(isRunning || startable !== undefined ? 'dialog.cancel' : 'dialog.close')}
          </Button>
          {startable !== undefined && (
            <Button onClick={() => void startable.run()} loading={isRunning}>
              {startable.label}
            </Button>
          )}
        </Group>
      </Stack>
    </ModalDialog>
  )
}

interface DownloadButtonProps extends ButtonProps {
  readonly address: string
  readonly fileName: string
  readonly children: ReactNode
}

/** Begins a download at once, and shows its progress in a dialog. */
export function DownloadButton({ address, fileName, children, ...props }: DownloadButtonProps) {
  const { state, start, stop } = useDownload()
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        {...props}
        onClick={() => void start(address, fileName)}
      >
        {children}
      </Button>
      <DownloadDialog opened={state.kind !== 'idle'} title={children} state={state} onClose={stop} />
    </>
  )
}
