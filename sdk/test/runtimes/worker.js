/** Runs the program in a Worker: the configuration is the body of the request, the result its response. */
import { run } from './program.js'

export default {
  async fetch(request) {
    if (request.method === 'GET') return new Response('ready')
    try {
      return Response.json(await run(await request.json()))
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
