<?php

declare(strict_types=1);

namespace App\Http;

/** Somebody who has written a comment: his browser keeps a secret of his own and his name. */
final readonly class Visitor
{
    public const COOKIE = 'app_visitor';

    public function __construct(private string $secret, public string $name) {}

    /** What a form of this visitor has, and no other site can know. */
    public function token(): string
    {
        return hash('sha256', 'form ' . $this->secret);
    }

    public function cookie(): string
    {
        $value = $this->secret . '.' . rtrim(strtr(base64_encode($this->name), '+/', '-_'), '=');

        return self::COOKIE . "=$value; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax";
    }
}
