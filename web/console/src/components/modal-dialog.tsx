import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect, useState } from 'react'

/**
 * A modal that gives the focus back to what opened it. The library does so only for one that is mounted closed, and most dialogs are
 * mounted open.
 */
export function ModalDialog(props: ModalProps) {
  const [isMountedOpen] = useState(props.opened)
  useLayoutEffect(() => {
    if (!isMountedOpen) return
    const opener = openerOf(document.activeElement)
    // The focus is with nobody once the dialog is out of the document, unless the next dialog or page took it.
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
      })
    }
  }, [isMountedOpen])
  return <Modal {...props} />
}

/** An item of a menu goes with the menu, so the button of the menu stands for it. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]')
  const opener = menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return opener instanceof HTMLElement ? opener : null
}
