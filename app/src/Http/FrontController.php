<?php

declare(strict_types=1);

namespace App\Http;

use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7Server\ServerRequestCreator;

/** Makes a PSR-7 request of PHP's variables and sends the kernel's response. */
final readonly class FrontController
{
    public function __construct(private Kernel $kernel) {}

    public function run(): void
    {
        $factory = new Psr17Factory();
        $request = (new ServerRequestCreator($factory, $factory, $factory, $factory))->fromGlobals();
        $response = $this->kernel->handle($request);

        http_response_code($response->getStatusCode());
        foreach ($response->getHeaders() as $name => $values) {
            foreach ($values as $value) {
                header($name . ': ' . $value, false);
            }
        }
        if ($request->getMethod() !== 'HEAD') {
            echo $response->getBody();
        }
    }
}
