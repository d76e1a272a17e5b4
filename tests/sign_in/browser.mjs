// A browser, as far as a sign-in goes: cookies by host, redirects, and forms.

export class Browser {
  jars = new Map();

  cookiesOf(url) {
    const jar = this.jars.get(new URL(url).host) ?? new Map();
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** One request; redirects are not followed. */
  async send(url, { form, headers = {} } = {}) {
    const cookie = this.cookiesOf(url);
    const answer = await fetch(url, {
      method: form ? "POST" : "GET",
      body: form ? new URLSearchParams(form) : undefined,
      redirect: "manual",
      headers: { ...(cookie ? { cookie } : {}), "sec-fetch-site": "same-origin", ...headers },
    });
    const jar = this.jars.get(new URL(url).host) ?? new Map();
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(";");
      const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      if (value && !/max-age=0/i.test(line)) jar.set(name.trim(), value);
      else jar.delete(name.trim());
    }
    this.jars.set(new URL(url).host, jar);
    const location = answer.headers.get("location");
    return { status: answer.status, text: await answer.text(), location: location && new URL(location, url).href };
  }

  /** Follows redirects and fills in the forms of the company's server, until an address that `isEnd` accepts. */
  async follow(url, login, isEnd) {
    for (let step = 0; step < 20; step += 1) {
      if (isEnd(url)) return url;
      let answer = await this.send(url);
      if (!answer.location) {
        const action = /<form[^>]* action="([^"]+)"/.exec(answer.text);
        if (!action) throw new Error(`no form at ${url}: ${answer.status} ${answer.text}`);
        const prompt = /name="prompt" value="([^"]+)"/.exec(answer.text)[1];
        const form = prompt === "login" ? { prompt, login, password: "x" } : { prompt };
        answer = await this.send(new URL(action[1], url).href, { form });
      }
      if (!answer.location) throw new Error(`no redirect from ${url}: ${answer.status} ${answer.text}`);
      url = answer.location;
    }
    throw new Error(`too many redirects: ${url}`);
  }
}
