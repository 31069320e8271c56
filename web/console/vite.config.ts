import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { iconLines } from './icon-lines.ts'

/** The service that `npm run dev` sends the API's requests to. */
const SERVICE = 'http://127.0.0.1:8080'

/** What only lists need. Home and the sign-in work without it, however many pages have a list. */
const LISTS =
  /\/src\/components\/list\/(?!filter-language|list-search)|\/@tanstack\/(?:react-)?(?:table|virtual)/

export default defineConfig(({ command }) => ({
  // Relative, because the service may be published under a path.
  base: command === 'build' ? './' : '/console/',
  plugins: [iconLines(), react()],
  resolve: { conditions: ['quittance-source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // These have light-dark(), which lightningcss would otherwise replace by something that ignores Mantine's scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    // The Content-Security-Policy forbids data: URLs in scripts and styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // One file for what many pages share: a hundred small ones took a browser half a second longer.
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 24, test: (file) => !LISTS.test(file) },
            { name: 'lists', minShareCount: 2, test: LISTS },
          ],
        },
      },
    },
  },
  server: { proxy: { '/svc': SERVICE, '/api': SERVICE, '/console/api': SERVICE } },
}))
