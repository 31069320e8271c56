import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Html = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps | keyof ButtonProps>

/** A link within the console, with the types of the routes. */
export const TextLink = createLink((props: AnchorProps & Html & { children?: React.ReactNode }) => (
  <Anchor inherit={props.size === undefined} {...props} />
))

/** A link that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & Html & { children?: React.ReactNode }) => (
  <Button component="a" {...props} />
))
