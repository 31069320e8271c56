import { Anchor, Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, LANGUAGES, type Language } from '#app/i18n.ts'
import { Logo } from '#components/logo.tsx'

interface AuthLayoutProps {
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
}

/** The frame of the pages that need no session. */
export function AuthLayout({ title, text, children }: AuthLayoutProps) {
  const { i18n } = useTranslation()
  useEffect(() => {
    document.title = `${title} · Quittance`
  }, [title])
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="xs" justify="center">
          <Logo size={32} />
          <Text fw={700} size="xl">
            Quittance
          </Text>
        </Group>
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }} radius="lg" shadow="sm" bg="var(--console-surface)">
          <Title order={1} size="h2" mb={text === undefined ? 'md' : 4}>
            {title}
          </Title>
          {text !== undefined && (
            <Text size="sm" c="dimmed" mb="md">
              {text}
            </Text>
          )}
          {children}
        </Paper>
        <Group gap="md" justify="center">
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <Anchor
              key={language}
              component="button"
              type="button"
              size="sm"
              lang={language}
              aria-pressed={i18n.language === language}
              underline={i18n.language === language ? 'always' : 'hover'}
              onClick={() => void changeLanguage(language as Language)}
            >
              {name}
            </Anchor>
          ))}
        </Group>
      </Stack>
    </Center>
  )
}
