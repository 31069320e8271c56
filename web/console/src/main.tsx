import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { startI18n } from '#app/i18n.ts'

await startI18n()
const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no element with the id "root"')
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
