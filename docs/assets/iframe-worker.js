// A browser starts no worker for a page that is opened as a file. The search of the site then runs
// in a hidden frame.
"use strict";

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      this.loaded = new Promise((done) => {
        document.documentElement.append(frame);
        const page = frame.contentDocument;
        page.open();
        this.inside = frame.contentWindow;
        this.inside.postMessage = (data) =>
          this.dispatchEvent(new MessageEvent("message", { data }));
        this.inside.begun = done;
        page.write(`<script src="${script}"></script><script>begun()</script>`);
        page.close();
      });
    }

    postMessage(data) {
      const { MessageEvent: Message } = this.inside;
      this.loaded.then(() => this.inside.dispatchEvent(new Message("message", { data })));
    }
  };
}
