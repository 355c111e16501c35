// Embeds the text in TEXT with the client that oapi-codegen has generated, and prints the vector.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"embedgate/test/clients/generated/client"
)

func main() {
	vector, err := embed()
	if err != nil {
		log.Fatal(err)
	}
	printed, _ := json.Marshal(vector)
	fmt.Println(string(printed))
}

func embed() (client.EmbeddingEmbedding0, error) {
	embedgate, err := client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
			return nil
		},
	))
	if err != nil {
		return nil, err
	}
	var body client.EmbeddingsRequest
	if err := body.Input.FromEmbeddingsRequestInput0(os.Getenv("TEXT")); err != nil {
		return nil, err
	}
	response, err := embedgate.CreateEmbeddingsWithResponse(context.Background(), nil, body)
	if err != nil {
		return nil, err
	}
	if response.JSON200 == nil {
		return nil, fmt.Errorf("%s: %s", response.Status(), response.Body)
	}
	return response.JSON200.Data[0].Embedding.AsEmbeddingEmbedding0()
}
