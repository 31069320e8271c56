import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './message-frame.module.css'

type View = 'desktop' | 'phone' | 'text'

interface MessageFrameProps {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** A message as a mail program shows it. The frame runs nothing and opens no link, because a link may be good only once. */
export function MessageFrame({ subject, html, text }: MessageFrameProps) {
  const { t } = useTranslation('messages')
  const [view, setView] = useState<View>('desktop')
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={t('preview.view')}
        style={{ alignSelf: 'flex-start' }}
        value={view}
        onChange={(value) => setView(value)}
        data={(['desktop', 'phone', 'text'] as const).map((value) => ({
          value,
          label: t(`preview.${value}`),
        }))}
      />
      {view === 'text' ? (
        <pre className={classes.text} dir="auto">
          {text}
        </pre>
      ) : (
        <iframe className={classes.frame} data-width={view} sandbox="" srcDoc={html} title={subject} />
      )}
    </Stack>
  )
}
