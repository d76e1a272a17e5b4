// Asks a server with the client that OpenAPI Generator made of its description: typed replies, and typed refusals.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"

	openapi "specbox.example/openapi"
)

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("SPECBOX_URL")}}
	client := openapi.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("SPECBOX_KEY"))

	documents, _, err := client.DocumentsAPI.ListDocuments(ctx).Execute()
	if err != nil || len(documents) == 0 {
		log.Fatal("documents: ", err)
	}
	query := *openapi.NewSearchText("timer T393")
	query.SetMatchCount(5)
	reply, _, err := client.SearchAPI.SearchText(ctx).SearchText(query).Execute()
	if err != nil || len(reply.Results) == 0 {
		log.Fatal("search: ", err)
	}
	var id int64 = reply.Results[0].Id
	_, _, err = client.DocumentsAPI.GetDocument(ctx, math.MaxInt32).Execute()
	missing := refusal(err).ErrorDetail
	stranger := context.WithValue(context.Background(), openapi.ContextAccessToken, "sk-unknown")
	_, _, err = client.DocumentsAPI.ListDocuments(stranger).Execute()
	unknown := refusal(err).String
	if missing == nil || unknown == nil {
		log.Fatal("a refusal has another type: ", missing, unknown)
	}
	fmt.Printf("%d documents, %d results, first %d, %s, %q\n",
		len(documents), len(reply.Results), id, missing.Code, *unknown)
}

// What the server says of a request that it refused.
func refusal(err error) openapi.ErrorReason {
	var refused *openapi.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatal("not refused: ", err)
	}
	problem, typed := refused.Model().(openapi.Error)
	if !typed {
		log.Fatalf("the refusal has no type: %v", refused.Model())
	}
	return problem.Detail
}
