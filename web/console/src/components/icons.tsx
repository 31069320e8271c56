import type { FunctionComponent } from 'react'

interface IconProps {
  /** Of a side, in pixels. */
  readonly size?: number
  /** The width of lines, in twenty-fourths of the side. */
  readonly stroke?: number
  readonly color?: string
  readonly 'aria-hidden'?: boolean
}

export type Icon = FunctionComponent<IconProps>

/** The build replaces each name by the lines of Tabler's icon (`icon-lines.ts`). */
function icon(lines: string): Icon {
  const content = { __html: lines }
  return ({ size = 24, stroke = 2, color = 'currentColor', 'aria-hidden': isHidden }) => (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke={color}
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden={isHidden}
      dangerouslySetInnerHTML={content}
    />
  )
}

export const IconAlertTriangle = icon('alert-triangle')
export const IconArrowDown = icon('arrow-down')
export const IconArrowUp = icon('arrow-up')
export const IconArrowsExchange = icon('arrows-exchange')
export const IconBolt = icon('bolt')
export const IconBuildingBank = icon('building-bank')
export const IconBuildingStore = icon('building-store')
export const IconCalendarRepeat = icon('calendar-repeat')
export const IconCheck = icon('check')
export const IconChevronDown = icon('chevron-down')
export const IconCircleCheck = icon('circle-check')
export const IconCircleDot = icon('circle-dot')
export const IconClock = icon('clock')
export const IconColumns3 = icon('columns-3')
export const IconCopy = icon('copy')
export const IconCreditCard = icon('credit-card')
export const IconDots = icon('dots')
export const IconDownload = icon('download')
export const IconFileInvoice = icon('file-invoice')
export const IconFilter = icon('filter')
export const IconFingerprint = icon('fingerprint')
export const IconFlask = icon('flask')
export const IconGavel = icon('gavel')
export const IconHelp = icon('help-circle')
export const IconHistory = icon('history')
export const IconHome = icon('home')
export const IconInbox = icon('inbox')
export const IconKey = icon('key')
export const IconListSearch = icon('list-search')
export const IconLogout = icon('logout')
export const IconMoodConfused = icon('mood-confused')
export const IconPackage = icon('package')
export const IconPalette = icon('palette')
export const IconPlus = icon('plus')
export const IconReceipt = icon('receipt')
export const IconReceiptTax = icon('receipt-tax')
export const IconRepeat = icon('repeat')
export const IconReportMoney = icon('report-money')
export const IconRoute = icon('route')
export const IconScale = icon('scale')
export const IconSearch = icon('search')
export const IconSend = icon('send')
export const IconSettings = icon('settings')
export const IconTicket = icon('ticket')
export const IconTransferIn = icon('transfer-in')
export const IconTrash = icon('trash')
export const IconUser = icon('user')
export const IconUserCircle = icon('user-circle')
export const IconUsers = icon('users')
export const IconWallet = icon('wallet')
export const IconWebhook = icon('webhook')
export const IconX = icon('x')
