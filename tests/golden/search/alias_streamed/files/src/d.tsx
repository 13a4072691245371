<beta/>
