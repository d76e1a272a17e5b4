// Starts the API explorer. A file of its own, because pages run no script that stands in them.
window.addEventListener("load", () => {
  window.SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#explorer",
    deepLinking: true,
    validatorUrl: null,
    tryItOutEnabled: true,
    persistAuthorization: false,
    supportedSubmitMethods: ["get", "post"],
  });
});
